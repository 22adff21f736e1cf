import { folderStatus } from '../../src/zone/folder-status';
import { fleetScenario, zoneId, zoneName } from '../cli/support/fleet-scenario';
import { clientOverEmulator, seen } from '../support/over-emulator';

const ids = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, number) => ({ id: zoneId(number) }));

it('reads many zones with two requests each, and their names from the list of zones', async () => {
  const [client, emulator] = await clientOverEmulator({ scenario: fleetScenario({ count: 60 }) });
  const { zones } = await folderStatus([], ids(60), client, '');
  expect(zones.map(({ name }) => name)).toEqual(ids(60).map((_, number) => zoneName(number)));
  expect(zones.every(({ deployed }) => deployed.length > 0)).toBe(true);
  // two pages of 50 zones
  expect(seen(emulator)).toHaveLength(2 * 60 + 2);
});

it('reads a zone that the list does not have, or of a list that the API refuses, by its id', async () => {
  const [client, emulator] = await clientOverEmulator({ scenario: fleetScenario({ count: 50 }) });
  emulator.setFaults([{ kind: 'status', path: '*/zones', status: 403, code: 10000 }]);
  const { zones } = await folderStatus([], ids(50), client, '');
  expect(zones.map(({ name }) => name)).toEqual(ids(50).map((_, number) => zoneName(number)));
  expect(seen(emulator)).toHaveLength(3 * 50 + 1);
});
