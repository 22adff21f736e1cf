import { backupFile, isBackupFile } from '../../src/plan/paths';
import { planMigration } from '../../src/plan/plan-migration';
import { stateFacts, zone } from './support/state-facts';

describe('the file for a copy of a state', () => {
  it.each([
    ['default', 'main-3.tfstate'],
    ['', 'main-3.tfstate'],
    ['staging', 'main.staging-3.tfstate'],
    ['eu-1.b~c', 'main.eu-1.b~c-3.tfstate'],
    ['$&+=:@', 'main.%24%26%2B%3D%3A%40-3.tfstate'],
    ['../../x*', 'main...%2F..%2Fx%2A-3.tfstate'],
    ['\ud800', 'main.%EF%BF%BD-3.tfstate'],
    ['x'.repeat(130), `main.${'x'.repeat(120)}-3.tfstate`],
  ])('of workspace %j', (workspace, file) => {
    expect(backupFile({ name: 'main', workspace }, 3)).toBe(`cf-waf-migrate-backup/${file}`);
  });

  it('is not that of a folder whose name says the same', () => {
    const inFolder = backupFile({ name: 'main-a', workspace: 'default' }, 3);
    expect(backupFile({ name: 'main', workspace: 'a' }, 3)).not.toBe(inFolder);
  });

  it('differs in the plans for two workspaces of one serial', () => {
    const backups = ['default', 'staging'].map((workspace) => {
      const { steps } = planMigration([zone], [stateFacts({ workspace })]);
      return steps[0]!.runs![0]!.saveTo;
    });
    expect(backups).toEqual([
      'cf-waf-migrate-backup/main-7.tfstate',
      'cf-waf-migrate-backup/main.staging-7.tfstate',
    ]);
  });
});

describe('a path that somebody has written down', () => {
  it('is that of a copy as this tool names it', () => {
    expect(isBackupFile('cf-waf-migrate-backup/main.eu-1-3.tfstate')).toBe(true);
  });

  it.each([
    'cf-waf-migrate-backup',
    'elsewhere/main-3.tfstate',
    '/cf-waf-migrate-backup/main-3.tfstate',
    'cf-waf-migrate-backup/../main-3.tfstate',
    'cf-waf-migrate-backup/..\\main-3.tfstate',
    'cf-waf-migrate-backup/a\\main-3.tfstate',
    'cf-waf-migrate-backup/\\main-3.tfstate',
    'cf-waf-migrate-backup/a/main-3.tfstate',
    'cf-waf-migrate-backup//main-3.tfstate',
    'cf-waf-migrate-backup/.main-3.tfstate',
    'cf-waf-migrate-backup/main-3.tfstate.sh',
  ])('is not that of a copy: %s', (path) => {
    expect(isBackupFile(path)).toBe(false);
  });
});
