import { type Run, type Step } from '../../src/plan/plan';

/** A step with the commands of its kind, as a plan has them; those that a test gives stay. */
export function withCommands(step: Step, dir = '.'): Step {
  const { kind, expects = {}, runs } = step;
  const { gone = [], present = [] } = expects;
  const run = (...args: string[]): Run => ({
    argv: ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args],
  });
  const saved = 'cf-waf-migrate.tfplan';
  const judged = [run('show', '-json', saved), run('apply', '-input=false', saved)];
  const plan = (...flags: string[]): Run => run('plan', ...flags, '-input=false');
  const commands: Partial<Record<Step['kind'], Partial<Step>>> = {
    import: {
      runs: [run('import', '-input=false', ...present, 'zone/z/r')],
      ...{ addresses: present, importId: 'zone/z/r' },
    },
    remove: { runs: [run('state', 'rm', ...gone)], addresses: gone },
    'apply-blocks': { runs: [plan(`-out=${saved}`), ...judged] },
    'upgrade-provider': { runs: [run('init', '-upgrade', '-input=false')] },
    check: { runs: [plan('-detailed-exitcode')], expects: { plan: 'empty', ...expects } },
  };
  return runs === undefined ? { ...step, ...commands[kind] } : step;
}
