import { eventually, type TestDeployment } from '@libs/testing';
import type { HostNetwork } from '../machines/hosts/bridge.js';
import type { MachineWorld } from '../machines/machine-world.js';

const MINUTE_MS = 60_000;

/** A customer with an account at an emulator, whose instances are real hosts. */
export interface CloudCustomer {
  /** Everything in the account. */
  contents(): string[] | Promise<string[]>;
  /** A deployment of three nodes in the account. */
  deployment(name: string): Promise<TestDeployment>;
  /** The networks of the hosts. */
  cables(): HostNetwork[];
  giveAccess(): void;
  /** From now on, the cloud refuses Landlord in the account. */
  takeAccess(): void;
}

/**
 * A deployment keeps its nodes while the cloud refuses Landlord in the account, and ends only with access.
 * @param refusal the status reason of a running deployment
 * @param deletion the status reason of a deployment that is being deleted
 */
export async function lostAccessStory(
  machines: MachineWorld,
  customer: CloudCustomer,
  { refusal, deletion }: { refusal: RegExp; deletion: RegExp },
): Promise<void> {
  const before = await customer.contents();
  const deployment = await customer.deployment('without-access');
  await machines.open(deployment);
  const running = await customer.contents();
  /** The detail, as soon as its status reason matches. */
  const explained = (reason: RegExp | null) =>
    eventually(
      `a status reason like ${reason}`,
      async () => {
        const { status, status_reason } = await deployment.detail();
        const isWanted = reason === null ? status_reason === null : reason.test(String(status_reason));
        return isWanted ? { status, status_reason } : null;
      },
      MINUTE_MS,
    );

  customer.takeAccess();

  expect((await explained(refusal)).status).toBe('initialized');
  expect((await machines.cloud.main().get(deployment.path)).body.status_reason).toMatch(refusal);
  expect(await machines.exchange(deployment, 'no-access', ['one', 'two'])).toEqual(['one', 'two']);

  // The Supervisor misses a node that it cannot ask the provider for.
  const cable = customer.cables().at(-1);
  cable?.cut();
  expect((await explained(/^1 of 3 nodes are not in service; Landlord cannot/)).status).toBe('degraded');
  cable?.restore();
  expect((await explained(/^Landlord cannot/)).status).toBe('initialized');
  customer.giveAccess();
  expect((await explained(null)).status).toBe('initialized');
  expect(await customer.contents()).toEqual(running);

  customer.takeAccess();
  const accepted = await machines.cloud.main().delete(deployment.path);
  expect((await explained(deletion)).status).toBe('deleting');
  expect(await customer.contents()).toEqual(running);
  customer.giveAccess();
  await deployment.succeeds(accepted);
  expect(await customer.contents()).toEqual(before);
}
