import { relative } from 'node:path';
import { byHand } from '../../generate/write/by-hand';
import { type GenerateResult } from '../../generate/write/generate';
import { inStack } from '../../generate/write/in-stack';
import { findingCodes, renderFindings } from '../../core/finding';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { type ZoneResult } from '../fleet/run-groups';
import { type GenerateTarget } from './choose-target';

const origins: Readonly<Record<GenerateResult['source'], string>> = {
  live: 'the live entry point',
  config: 'the migration config (provisional until the zone has finished)',
  state: 'the old settings in the state (provisional: compare it with `report`)',
  old: 'the old settings of the zone (provisional: compare it with `report`)',
};

/** What `generate` says of one zone. */
export function report(generated: GenerateResult, target: GenerateTarget, cwd: string): ZoneResult {
  const { names, ...result } = generated;
  const { resource, provider, source, findings } = result;
  const { because } = target.provider;
  const files = result.files.map((path) => relative(cwd, path) || path);
  const isConstruct = target.format === 'construct';
  const added =
    target.existing === undefined ? undefined : byHand(target.existing, names, provider);
  const steps = isConstruct ? inStack(names) : added;
  const codes = findingCodes(findings);
  const shown = files.map((file) => printable(file));
  return {
    json: {
      ...result,
      files,
      providerBecause: because,
      ...(steps === undefined ? {} : { byHand: steps }),
    },
    text: [
      `Generated ${resource.address} from ${origins[source]}`,
      `for provider ${provider} (${printable(because)}):`,
      ...shown.map((file) => `  ${file}`),
      ...(steps === undefined || steps.length === 0
        ? []
        : ['Add by hand:', ...steps.map((one) => `  ${printable(one)}`)]),
      ...(resource.importId === undefined
        ? []
        : [`Import it: terraform import ${posixQuote(resource.address)} ${resource.importId}`]),
      ...renderFindings(findings),
    ].join('\n'),
    line: `${shown.join(', ')} from ${origins[source]}${codes === '' ? '' : `: ${codes}`}`,
    exitCode: findings.some(({ severity }) => severity !== 'info') ? 2 : 0,
  };
}
