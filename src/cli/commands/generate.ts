import { generate } from '../../actions/generate';
import { type CliCommand } from '../command';
import { isFleet } from '../fleet/fleet-options';
import { chooseTarget, filesBeside, requestOf } from '../generation/choose-target';
import { generateMany } from '../generation/generate-many';
import { type GenerateOptions, withGenerate } from '../generation/generate-options';
import { readInput } from '../generation/read-input';
import { report } from '../generation/report';
import { requireZone } from '../zone-option';

/** `generate`: emits the ruleset stack of a zone, or of many. */
export const generateCommand: CliCommand<GenerateOptions> = {
  example: 'generate --zone 0123456789abcdef0123456789abcdef --format hcl --out waf',
  define: withGenerate,
  run: async (options, context) => {
    const many = isFleet(options);
    const zoneId = many ? undefined : requireZone(options);
    const target = await chooseTarget(options, context, many);
    if (zoneId === undefined) {
      return generateMany(options, context, target);
    }
    const input = await readInput(options, context, zoneId);
    const beside = filesBeside(target);
    const result = await generate({ ...input, ...requestOf(target, options), beside });
    return report(result, target, context.cwd);
  },
};
