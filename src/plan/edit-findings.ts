import { type ConfigBlock, type ConfigFile } from '../blocks/config-file';
import { type ModuleCopy } from '../blocks/generated-blocks';
import { type Reference } from '../blocks/find-references';
import { acceptFlag } from '../model/accept-flag';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';

/** @param isOfRoot whether it stands in the root, whose outputs the state holds */
export function referenceBreaks(
  { address, from, file, line, text }: Reference,
  isOfRoot: boolean,
): Finding {
  const isOutput = isOfRoot && from.startsWith('output.');
  const flag = acceptFlag(from);
  return {
    code: 'BLOCK_REFERENCED',
    severity: 'decision',
    subject: `${file}:${line}`,
    message: `${from} refers to ${address} (${text}): the block is not edited while something refers to it`,
    remedy: `change or delete the reference, then plan again, or remove the block in the manual step${
      isOutput
        ? `; where no import follows (method blocks), pass ${flag} to rehearse, apply and verify, since Terraform then plans to change the output`
        : ''
    }`,
  };
}

/** What reads an output from outside, as by `terraform_remote_state`, is not known here. */
export function outputsRemoved(
  outputs: readonly { readonly file: ConfigFile; readonly block: ConfigBlock }[],
): Finding[] {
  if (outputs.length === 0) return [];
  const places = outputs.map(
    ({ file, block }) => `${block.address} (${file.path}:${block.range.startLine})`,
  );
  return [
    {
      code: 'OUTPUTS_REMOVED',
      severity: 'decision',
      subject: printable(places.join(', '), 1000),
      message:
        'these outputs refer only to blocks that are removed, and nothing in this configuration reads them: they are removed too',
      remedy:
        'check that no other configuration, script or pipeline reads them, then pass --accept OUTPUTS_REMOVED',
    },
  ];
}

export function blockShared(address: string): Finding {
  return {
    code: 'BLOCK_SHARED',
    severity: 'decision',
    subject: address,
    message: 'this block declares resources that stay as well: of other zones, or in another state',
    remedy:
      'take the migrated zone out of its count, for_each or module call by hand, or migrate all its zones together',
  };
}

export function moduleNotRead(address: string): Finding {
  return {
    code: 'MODULE_NOT_EDITED',
    severity: 'decision',
    subject: address,
    message: 'the block stands in a module that does not lie beside the configuration',
    remedy: 'use a version of the module without the old resources, or delete the call',
  };
}

/** Editing the copy would last until the next synthesis; the module may be that of other stacks as well. */
export function moduleCopied({ file, addresses }: ModuleCopy): Finding {
  return {
    code: 'MODULE_COPIED',
    severity: 'decision',
    subject: printable(file, 200),
    message: printable(
      `CDKTF copies this file of a module at each synthesis, so it is not edited: ${addresses.join(', ')}`,
      1000,
    ),
    remedy:
      'take the call out of the program, where the module holds nothing else; otherwise the blocks out of the module itself, the source that the program gives it, and first plan the other stacks that call it together with this one (--dir for each): an apply there would destroy what their states still hold',
  };
}

/** The hazard: its state entry stands, so a plan would destroy it and re-arm the defaults. */
export function blockGone(address: string): Finding {
  return {
    code: 'BLOCK_ALREADY_GONE',
    severity: 'decision',
    subject: address,
    message:
      'the configuration no longer declares this old resource while the state still holds it: an apply now would destroy it',
    remedy:
      'apply nothing in this folder before the steps of this plan have taken it out of the state',
  };
}
