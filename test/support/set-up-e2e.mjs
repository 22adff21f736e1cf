import { ensureTools, installPackages } from '../../scripts/ensure-tools.mjs';

/**
 * Before the first end-to-end test: puts Terraform and Chromium into PATH, and installs cdktf-cli (420 MB) and
 * the CDKTF bindings of provider 3 and 4 (85 MB) where they are missing.
 */
export default async function setUp() {
  await ensureTools();
  installPackages('bindings');
  installPackages('cdktf-cli');
}
