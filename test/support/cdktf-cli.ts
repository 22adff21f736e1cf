import { join } from 'node:path';

/** The binary of cdktf-cli, which the set-up of the end-to-end tests has installed. */
export const cdktfCli = join(__dirname, '../cdktf-cli/node_modules/.bin/cdktf');
