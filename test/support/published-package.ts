import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProcess } from './run-process';

const root = join(__dirname, '../..');

interface LockedPackage {
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly devOptional?: boolean;
}

/**
 * The package as npm would publish it, in the subfolder `package` with its dependencies. It is also a
 * dependency of the folder itself, with its command.
 */
export async function layOutPackage(folder: string): Promise<void> {
  const packed = await runProcess('npm', ['pack', '--pack-destination', folder, '--json'], {
    cwd: root,
    env: process.env,
  });
  if (packed.code !== 0) throw new Error(packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await runProcess('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  for (const [path, { dev, peer, devOptional }] of Object.entries(packages)) {
    const nested = path.lastIndexOf('node_modules/') > 0;
    if (path === '' || nested || dev || peer || devOptional) continue;
    mkdirSync(join(folder, 'package', dirname(path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, 'package', path));
  }
  dependOn(folder, folder);
}

/** Makes the package a dependency of another folder. */
export function dependOn(folder: string, project: string): void {
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(folder, 'package'), join(project, 'node_modules/cf-waf-migrate'), 'dir');
  const command = join(project, 'node_modules/.bin/cf-waf-migrate');
  symlinkSync(join(folder, 'package/dist/cli/main.js'), command);
}
