import { sep } from 'node:path';

/** A path of this platform as plans, Terraform and module specifiers write it: with forward slashes. */
export const posixPath = (path: string): string => path.split(sep).join('/');
