import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/emulator';
import { clientOf, type TestClient } from './client';

/** Runs a test against an emulator of its own, and stops it whatever happens. */
export async function withEmulator(
  options: EmulatorOptions,
  test: (call: TestClient, emulator: Emulator) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator(options);
  try {
    await test(clientOf(emulator), emulator);
  } finally {
    await emulator.stop();
  }
}

/** The zones of the scenario `demo`. */
export const ENTERPRISE = 'e0000000000000000000000000000001';
export const PRO = 'b0000000000000000000000000000002';
export const NOT_ELIGIBLE = 'c0000000000000000000000000000003';
export const MIGRATED = 'd0000000000000000000000000000004';

/** The path of the entry point of the managed phase. */
export const entryPoint = (zone: string): string =>
  `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
