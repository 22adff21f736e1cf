import { canonicalConfig, type RulesetConfig } from '../../../support/canonical';
import { type Major } from '../../../support/provider/schema/load-schema';

type Part = Record<string, any>;

/** The canonical configuration of a major, with edits that do not depend on its dialect. */
export class Edit {
  readonly file: object;
  readonly resource: RulesetConfig;

  constructor(readonly major: Major) {
    ({ file: this.file, resource: this.resource } = canonicalConfig(major));
  }

  rule(at: number): Part {
    return this.resource.rules[at]!;
  }

  parameters(at: number): Part {
    return this.open(this.rule(at)['action_parameters']);
  }

  overrides(at: number): Part {
    return this.open(this.parameters(at)['overrides']);
  }

  /** A nested object as the dialect has it: a list of one block, or the object. */
  nested(part: Part): unknown {
    return this.major === 5 ? part : [part];
  }

  /** The switch inside logging and overrides: provider 3 calls it `status`. */
  onOff(on: boolean): Part {
    return this.major === 3 ? { status: on ? 'enabled' : 'disabled' } : { enabled: on };
  }

  /** The name of the switch inside overrides. */
  get onOffName(): string {
    return this.major === 3 ? 'status' : 'enabled';
  }

  setLogging(at: number, on: boolean): void {
    this.rule(at)['logging'] = this.nested(this.onOff(on));
  }

  private open(part: Part | Part[]): Part {
    return Array.isArray(part) ? part[0]! : part;
  }
}
