import { TestDeployment } from '@libs/testing';
import type { CloudCustomer } from '../clouds/lost-access-story.js';
import type { HostNetwork } from '../machines/hosts/bridge.js';
import { COLLECTIONS, IN_IOWA, THEIR_PROJECT, type GcpWorld } from './gcp-world.js';

const SIZE = { tier: 'small', cluster: 'cluster' } as const;
const EMAIL = `landlord-byoc@${THEIR_PROJECT}.iam.gserviceaccount.com`;
const NETWORK = 'theirs';

/** A customer with a project at the fakes of Google: a network, and a service account for Landlord. The instances there are real hosts. */
export class GcpCustomer implements CloudCustomer {
  private constructor(
    private readonly world: GcpWorld,
    private readonly externalId: string,
  ) {}

  static async start(world: GcpWorld): Promise<GcpCustomer> {
    const { cloud } = world.machines;
    const { body } = await cloud.main().post(`${cloud.environment}/deployments/byoc/setup`, IN_IOWA);
    await world.ask(`projects/${THEIR_PROJECT}/global/networks`, { name: NETWORK, autoCreateSubnetworks: false });
    const customer = new GcpCustomer(world, body.external_id);
    customer.giveAccess();
    return customer;
  }

  get account() {
    return { project_id: THEIR_PROJECT, service_account_email: EMAIL, vpc_name: NETWORK };
  }

  /** The service account exists, holds the external id of the tenant, and lets Landlord act as it. */
  giveAccess(): void {
    const description = `For Landlord. landlord-external-id=${this.externalId}`;
    this.world.google.accounts.set(EMAIL, { description, isTrusted: true, lacks: [] });
  }

  /** The service account no longer exists, and Google refuses the tokens that it gave. */
  takeAccess(): void {
    this.world.google.accounts.delete(EMAIL);
  }

  /** What Landlord says about the project. */
  async verdict() {
    const { cloud } = this.world.machines;
    const asked = { ...IN_IOWA, ...this.account };
    return (await cloud.runtime().post(`${cloud.environment}/byoc/validate`, asked)).body;
  }

  /** A deployment of three nodes in the project. */
  async deployment(name: string): Promise<TestDeployment> {
    const { cloud } = this.world.machines;
    const order = { name, ...IN_IOWA, ...SIZE, gcp: this.account };
    return TestDeployment.made(cloud, ({ deployments }) => deployments.createByoc({ ...cloud.placeIds, ...order }));
  }

  /** Everything in the project. */
  contents(): string[] {
    return COLLECTIONS.flatMap((collection) =>
      this.world.compute
        .resources(collection)
        .filter(({ selfLink }) => String(selfLink).includes(`/projects/${THEIR_PROJECT}/`))
        .map(({ id, name }) => `${collection} ${name} ${id}`),
    );
  }

  /** The networks of the hosts. */
  cables(): HostNetwork[] {
    return [...this.world.hosts.hosts.values()].map(({ network }) => network);
  }
}
