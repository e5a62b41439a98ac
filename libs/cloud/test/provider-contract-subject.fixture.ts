import { listed, refTo } from '@libs/testing';
import { describeOne } from '../src/describe-one.js';
import type { CloudProvider, InventoryTags, Resource, ResourceTags } from '../src/cloud-provider.js';
import { until } from '@libs/host/os';
import { otherSpecOf, specOf, type ContractKind } from './provider-contract-specs.fixture.js';

/** An account with the tools for a test: a fake of the provider, a sandbox, or the local cloud. */
export interface CloudSetup {
  /** A driver for the account. Every call creates another one, like in another process. */
  driver: () => CloudProvider;
  /** The number of creations under the name according to the account, and the number of existing resources. */
  count: (kind: ContractKind, name: string) => Promise<{ made: number; left: number }>;
  /** The next changing call has its effect, but its reply is lost. */
  loseNextReply?: () => void;
  /** The next `calls` calls are refused before they have an effect. */
  throttle?: (calls: number) => void;
  /** The next creation stops after a part of it. */
  failHalfway?: () => void;
  /** Hides new resources from reads until it is called again. */
  hideNew?: (isHidden: boolean) => void;
  /** Kinds whose creation and deletion continue only with another call of `ensure` or `destroy`. */
  continuesByCalls?: readonly ContractKind[];
  /** Afterwards, the account shows everything that it has. For a driver that waits for this time. */
  passTime?: () => Promise<void>;
  /** A balancer cannot lead a port to another port of a node. */
  leadsToSamePort?: boolean;
  /** An existing network of another account, for peerings. Missing: the cloud takes any. */
  peer?: { peer_vpc_id: string; peer_owner_id: string };
  stop: () => Promise<void>;
}

export const NAME = 'contract-subject';
const DEADLINE_MS = 20_000;
export const TAGS: ResourceTags = { installation: 'contract', deployment_id: 7 };

/** One kind of resource in one setup. */
export class Subject<K extends ContractKind = ContractKind> {
  constructor(
    readonly setup: CloudSetup,
    readonly kind: K,
    readonly cloud = setup.driver(),
  ) {}

  /** The same resource through a driver of another process. */
  elsewhere(): Subject<K> {
    return new Subject(this.setup, this.kind);
  }

  ensure(signal?: AbortSignal, spec = specOf(this.kind)): Promise<Resource<K>> {
    const peered = this.kind === 'vpc_peering' ? { ...spec, ...this.setup.peer } : spec;
    return this.cloud.ensure(this.kind, refTo(NAME), peered, TAGS, signal);
  }

  /** Ensures the changed specification, where the kind supports changes. */
  change(): Promise<Resource<K>> {
    return this.ensure(undefined, otherSpecOf(this.kind, this.setup.leadsToSamePort));
  }

  describe(signal?: AbortSignal): Promise<Resource<K> | null> {
    return describeOne(this.cloud, this.kind, refTo(NAME), signal);
  }

  destroy(signal?: AbortSignal): Promise<void> {
    return this.cloud.destroy(this.kind, refTo(NAME), signal);
  }

  /** Whether the inventory lists it. Fails when it is listed twice. */
  async isListed(tags: InventoryTags = TAGS): Promise<boolean> {
    const found = (await listed(this.cloud, tags)).filter(({ name }) => name === NAME);
    expect(found.length).toBeLessThanOrEqual(1);
    return found.length === 1;
  }

  async gone(): Promise<void> {
    await eventually(async () => {
      if (this.setup.continuesByCalls?.includes(this.kind)) await this.destroy();
      return (await this.describe()) === null;
    });
    expect(await this.left()).toBe(0);
  }

  made = async (): Promise<number> => (await this.setup.count(this.kind, NAME)).made;
  left = async (): Promise<number> => (await this.setup.count(this.kind, NAME)).left;
}

/** The setup of a test: all resources that its kind requires exist. */
export type Given = () => Promise<Subject>;

export async function eventually(look: () => Promise<boolean>): Promise<void> {
  expect(await until(look, { timeoutMs: DEADLINE_MS, everyMs: 10 })).toBe(true);
}
