import { finish } from '../../src/zone/finish';
import { changeFilter, removeFilter } from '../../src/firewall/filters';
import { changeRule, createRule, removeRule } from '../../src/firewall/rules';
import { startValidation } from '../../src/zone/start-validation';
import { type Client } from '../../src/cloudflare/client';
import { readZone } from '../../src/cloudflare/zones';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { MigrationError } from '../../src/core/migration-error';
import { clientOf, type TestClient } from '../emulator/support/with-emulator';
import { clientUnderTest } from '../support/client-under-test';
import { temporaryFolder } from '../support/temporary-folder';
import { ENTERPRISE } from '../support/zones';

/** What can be seen of a zone from outside. */
export interface Snapshot {
  readonly wafs: number;
  readonly state: string;
  readonly filters: readonly any[];
  readonly rules: readonly any[];
}

const zone = `/zones/${ENTERPRISE}`;
const entry = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** One zone of an emulator, called by plain fetch and by the tool's own actions. */
export class RandomWorld {
  private constructor(
    readonly emulator: Emulator,
    readonly call: TestClient,
    readonly client: Client,
    private readonly config: any,
    private readonly backups: string,
  ) {}

  static async of(scenario: object): Promise<RandomWorld> {
    const emulator = await startEmulator({ scenario });
    const call = clientOf(emulator);
    const { client } = clientUnderTest(emulator.baseUrl, { credentials: emulator.credentials });
    const config = (await call('GET', `${zone}/waf_migration/config?phase_two=1`)).body.result;
    return new RandomWorld(emulator, call, client, config, temporaryFolder());
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.emulator.stop();
  }

  async look(): Promise<Snapshot> {
    const status = (await this.call('GET', `${zone}/waf_migration/status`)).body.result;
    const filters = (await this.call('GET', `${zone}/filters?per_page=100`)).body.result;
    const rules = (await this.call('GET', `${zone}/firewall/rules?per_page=100`)).body.result;
    const wafs = [status.old_waf_status, status.new_waf_status].filter(
      (word) => word === 'enabled',
    ).length;
    return { wafs, state: status.migration_state, filters, rules };
  }

  /** A configuration: whole, with everything off, with nothing, or with exceptions alone. */
  private configuration(kind: string): object {
    const { rules } = this.config;
    const skip = { action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } };
    const kinds: Record<string, object[]> = {
      whole: rules,
      off: rules.map((rule: object) => ({ ...rule, enabled: false })),
      empty: [],
      half: rules.slice(1),
      skip: [skip],
    };
    return { ...this.config, rules: kinds[kind] };
  }

  /** A migration call by plain fetch. */
  async migrate(mode: string, kind: string): Promise<void> {
    await this.call('PUT', `${entry}?waf_migration=${mode}&phase_two=1`, this.configuration(kind));
  }

  /** The entry point without a migration. */
  async put(kind: string): Promise<void> {
    await this.call('PUT', entry, this.configuration(kind));
  }

  async override(create: boolean): Promise<void> {
    const path = `${zone}/firewall/waf/overrides`;
    const body = { urls: ['a.example/*'], rules: { '100001': 'block' } };
    if (create) await this.call('POST', path, body);
    const list = (await this.call('GET', path)).body?.result ?? [];
    if (!create && list[0] !== undefined) await this.call('DELETE', `${path}/${list[0].id}`);
  }

  /** Inline creation by plain fetch. */
  async inline(expression: string, action: string): Promise<number> {
    const body = [{ filter: { expression }, action }];
    return (await this.call('POST', `${zone}/firewall/rules`, body)).status;
  }

  /** Something that the tool does; its refusals are data. */
  async tool(act: () => Promise<unknown>): Promise<MigrationError | undefined> {
    try {
      await act();
      return undefined;
    } catch (error) {
      if (error instanceof MigrationError) return error;
      throw error;
    }
  }

  finish = async (): Promise<unknown> => {
    let time = 0;
    const pause = (milliseconds: number) => {
      time += milliseconds;
      return Promise.resolve();
    };
    return finish(
      {
        client: this.client,
        backups: this.backups,
        seconds: 5,
        say: () => undefined,
        now: () => time,
        sleep: pause,
        confirm: () => Promise.resolve(false),
      },
      await readZone(this.client, ENTERPRISE),
      { source: 'auto', accept: [] },
    );
  };

  startValidation = (): Promise<unknown> =>
    startValidation(this.client, ENTERPRISE, { source: 'auto' });

  createRule = (expression: string, sequence: 'recommended' | 'simplified'): Promise<unknown> =>
    createRule(this.client, {
      zoneId: ENTERPRISE,
      fields: { action: 'block' },
      filter: { expression },
      sequence,
    });

  shareFilter = (id: string): Promise<unknown> =>
    createRule(this.client, {
      zoneId: ENTERPRISE,
      fields: { action: 'log' },
      filter: { id },
      sequence: 'recommended',
    });

  changeRule = (id: string): Promise<unknown> =>
    changeRule(this.client, ENTERPRISE, id, { action: 'challenge' });

  removeRule = (id: string): Promise<unknown> =>
    removeRule(this.client, ENTERPRISE, id, this.backups);

  pauseFilter = (id: string): Promise<unknown> =>
    changeFilter(this.client, ENTERPRISE, id, { paused: true });

  removeFilter = (id: string): Promise<unknown> => removeFilter(this.client, ENTERPRISE, id);
}
