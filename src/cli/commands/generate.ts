import { type CliCommand } from '../command';
import { isFleet } from '../fleet/fleet-options';
import { type GenerateOptions, withGenerate } from '../generation/generate-options';
import { requireZone } from '../zone-option';

/** `generate`: emits the ruleset stack of a zone, or of many. */
export const generateCommand: CliCommand<GenerateOptions> = {
  name: 'generate',
  summary: 'emit the ruleset stack of a zone, as CDKTF, HCL or Terraform JSON',
  example: 'generate --zone 0123456789abcdef0123456789abcdef --format hcl --out waf',
  define: withGenerate,
  run: async (options, context) => {
    const many = isFleet(options);
    const zoneId = many ? undefined : requireZone(options);
    const { chooseTarget, filesBeside, requestOf } = await import('../generation/choose-target');
    const target = await chooseTarget(options, context, many);
    if (zoneId === undefined) {
      const { generateMany } = await import('../generation/generate-many');
      return generateMany(options, context, target);
    }
    const { generate } = await import('../../actions/generate');
    const { readInput } = await import('../generation/read-input');
    const { report } = await import('../generation/report');
    const input = await readInput(options, context, zoneId);
    const beside = await filesBeside(target);
    const result = await generate({ ...input, ...requestOf(target, options), beside });
    return report(result, target, context.cwd);
  },
};
