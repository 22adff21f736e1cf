import { compareTexts } from '../../core/lists';
import { fits } from '../../ruleset/expressions';
import { type LegacyOverride } from '../legacy-settings';
import { byPlace, type Entry, type LegacyZone } from './legacy-zone';
import { inert, readMode, type Setting, unknown, type Verdict } from './setting';
import { parseUrlPattern, patternsExpression } from './url-pattern';

/**
 * Reads the URI-based overrides. None is translated: a zone cannot migrate until they are deleted (spec:
 * "Eligibility"). The remedy says what to add for their URLs.
 */
export function readOverrides(zone: LegacyZone): Entry[] {
  return byPlace(zone.settings.overrides).flatMap((override) => {
    const settings = settingsOf(zone, override);
    const where = describeUrls(override.urls);
    return settings.map((setting) => ({
      setting,
      verdict: decide(zone, override, setting, where),
    }));
  });
}

/** Each rule, group and rewritten action is a setting; so is an override without any of them. */
function settingsOf(zone: LegacyZone, override: LegacyOverride): Setting[] {
  const { from, urls, rules, groups, rewriteAction } = override;
  const kind = 'override';
  const list = (
    name: string,
    values: Readonly<Record<string, string>>,
    factsOf: (key: string) => Pick<Setting, 'subject' | 'package' | 'title'>,
  ): Setting[] =>
    Object.entries(values)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const attribute = `${name}[${JSON.stringify(key)}]`;
        const { subject, ...facts } = factsOf(key);
        return { kind, from, attribute, subject, value, ...facts, urls };
      });
  const settings = [
    ...list('rules', rules, (key) => zone.factsOfRule(key)),
    ...list('groups', groups, (key) => zone.factsOfGroup(key)),
    ...list('rewrite_action', rewriteAction, (subject) => ({ subject })),
  ];
  return settings.length > 0
    ? settings
    : [{ kind, from, attribute: 'urls', subject: '', value: urls.join(' ') }];
}

function decide(
  zone: LegacyZone,
  { paused }: LegacyOverride,
  { attribute, subject, value }: Setting,
  where: string,
): Verdict {
  if (paused) return inert('the override is paused');
  if (attribute === 'urls') return inert('the override changes nothing');
  const newId = attribute.startsWith('rules[') ? zone.newRuleOf(subject) : undefined;
  const rules = newId === undefined ? 'the rules that replace it' : `rule ${newId}`;
  const isOff = readMode(value) === 'off' && !attribute.startsWith('rewrite_action[');
  return unknown(
    'the migration does not translate URI overrides, and requires that they are deleted',
    isOff
      ? `if you need it, add an exception from ${rules} ${where}`
      : `if you need it, add a rule that runs the managed ruleset with this setting ${where}`,
  );
}

/** The requests of an override, as the rest of a sentence: in the rules language, if possible. */
function describeUrls(urls: readonly string[]): string {
  const patterns = urls.map((url) => parseUrlPattern(url, 'override'));
  const known = patterns.flatMap((one) => ('host' in one ? [one] : []));
  if (known.length === 0 || known.length < patterns.length) return 'for these URLs';
  const expression = patternsExpression(known);
  return fits(expression) ? `where ${expression}` : 'for these URLs';
}
