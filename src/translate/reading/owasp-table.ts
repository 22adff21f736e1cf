import { type Finding } from '../../model/finding';

/** Where an old sensitivity leads (spec: "OWASP settings mapping applied by the migration"). */
export interface OwaspLevel {
  /** Rules up to this paranoia level run. */
  readonly level: number;
  readonly threshold: number;
}

const levels: ReadonlyMap<string, OwaspLevel> = new Map([
  ['high', { level: 2, threshold: 40 }],
  ['medium', { level: 1, threshold: 25 }],
  ['low', { level: 1, threshold: 40 }],
  ['default', { level: 2, threshold: 40 }],
]);

/** The new level of an old sensitivity; `off` has none, and neither has an unknown one. */
export function owaspLevel(sensitivity: string): OwaspLevel | undefined {
  return levels.get(sensitivity);
}

/** What the documentation of the mapping says twice and differently: shown, never decided here. */
export function owaspDoubts(zoneId: string): Finding[] {
  return [
    {
      code: 'OWASP_DEFAULT_LEVEL_UNCLEAR',
      severity: 'info',
      subject: zoneId,
      message:
        'Cloudflare documents two defaults of the OWASP ruleset: paranoia level 1, and all four levels on',
      remedy:
        'nothing where all four levels are set explicitly, as a translation does; otherwise set them',
    },
    {
      code: 'OWASP_LEVEL_CONTRADICTED',
      severity: 'info',
      subject: zoneId,
      message:
        'the table of the migration leads Medium and Low to paranoia level 1, and a remark beside it says that the migration sets level 2',
      remedy: 'compare the level with the live ruleset; the table is followed here',
    },
    {
      code: 'OWASP_MEDIUM_STRICTER',
      severity: 'info',
      subject: zoneId,
      message:
        'the table of the migration makes the old Medium stricter (threshold 25) than the old High (threshold 40)',
      remedy: 'choose the threshold anew after the migration, by the security events',
    },
  ];
}
