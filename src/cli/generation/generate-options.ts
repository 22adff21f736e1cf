import { type Command as Commander, Option } from 'commander';
import { type RulesetSource } from '../../generate/write/read-source';
import { type FormatName, STACK_FORMATS } from '../../core/format-names';
import { NEWEST_MAJOR, PROVIDER_MAJORS } from '../../core/provider-majors';
import { type CommonOptions } from '../command';
import { type FleetOptions, withFleet } from '../fleet/fleet-options';
import { type OldSettingsOptions, withOldSettings } from '../old-settings-options';
import { DEFAULT_ADDRESS } from '../ruleset-address';
import { type ServiceOptions, withService } from '../service-options';
import { withZone, type ZoneOption } from '../zone-option';

/** Flags of `generate`. */
export interface GenerateOptions
  extends CommonOptions, ServiceOptions, ZoneOption, FleetOptions, OldSettingsOptions {
  readonly source: RulesetSource | 'state' | 'old';
  readonly config?: string;
  readonly provider?: string;
  readonly format?: FormatName;
  readonly flavor?: 'cdktf' | 'cdktn';
  readonly out?: string;
  readonly project?: string;
  readonly address?: string;
  readonly force?: boolean;
}

/** Adds the flags of {@link GenerateOptions}. */
export function withGenerate(command: Commander): Commander {
  return withOldSettings(withService(withFleet(withZone(command))))
    .addOption(
      new Option(
        '--source <source>',
        'auto: the config of a zone that has not moved, else the live entry point; state and old: translated from the old settings of a state, or of the old interfaces',
      )
        .choices(['auto', 'config', 'live', 'state', 'old'])
        .default('auto'),
    )
    .option('--config <file>', 'a saved answer of either, instead of asking the service')
    .addOption(
      new Option(
        '--provider <major>',
        `major of the Cloudflare provider (default: by lock file, package.json, version constraint or state, else ${NEWEST_MAJOR})`,
      ).choices(PROVIDER_MAJORS.map(String)),
    )
    .addOption(
      new Option(
        '--format <format>',
        'output (default: that of the project in --out, else cdktf)',
      ).choices(STACK_FORMATS),
    )
    .addOption(
      new Option(
        '--flavor <flavor>',
        'of cdktf: cdktn is CDK Terrain, its successor (default: that of the project in --out, else cdktf)',
      ).choices(['cdktf', 'cdktn']),
    )
    .option(
      '--out <dir>',
      'a CDKTF project, a Terraform folder, or another folder (default: the current folder, and below it stacks for CDKTF without a project)',
    )
    .option('--project <dir>', 'create a CDKTF project with the stack')
    .option(
      '--address <address>',
      `address of the resource, also in a module (default ${DEFAULT_ADDRESS})`,
    )
    .option('--force', 'overwrite files that differ');
}
