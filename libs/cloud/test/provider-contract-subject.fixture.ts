import type { CloudProvider, Resource, ResourceTags } from '../src/cloud-provider.js';
import { until } from '../src/local/until.js';
import { otherSpecOf, specOf, type QuietKind } from './provider-contract-specs.fixture.js';

/** An account with what a test needs around it: a fake of the provider, a sandbox, or the local cloud. */
export interface CloudSetup {
  /** A driver over the account. Every call makes another, as another process has. */
  driver: () => CloudProvider;
  /** What the account itself says was ever made under the name, and is there now. */
  count: (kind: QuietKind, name: string) => Promise<{ made: number; left: number }>;
  /** The next call that changes something has its effect, and its reply is lost. */
  loseNextReply?: () => void;
  /** The next calls are refused before they do anything, as many as told. */
  throttle?: (calls: number) => void;
  /** The next creation ends after a part of it. */
  failHalfway?: () => void;
  /** Until told otherwise, nothing that is made is seen by those who look. */
  hideNew?: (isHidden: boolean) => void;
  stop: () => Promise<void>;
}

export const NAME = 'contract-subject';
const DEADLINE_MS = 20_000;
export const TAGS: ResourceTags = { installation: 'contract', deployment_id: 7 };

/** One kind on one ground, in few words. */
export class Subject<K extends QuietKind = QuietKind> {
  constructor(
    readonly setup: CloudSetup,
    readonly kind: K,
    readonly cloud = setup.driver(),
  ) {}

  /** The same thing through a driver of another process. */
  elsewhere(): Subject<K> {
    return new Subject(this.setup, this.kind);
  }

  ensure(signal?: AbortSignal, spec = specOf(this.kind)): Promise<Resource<K>> {
    return this.cloud.ensure(this.kind, NAME, spec, TAGS, signal);
  }

  /** Another specification where the kind takes one. */
  change(): Promise<Resource<K>> {
    return this.ensure(undefined, otherSpecOf(this.kind));
  }

  describe(signal?: AbortSignal): Promise<Resource<K> | null> {
    return this.cloud.describe(this.kind, NAME, signal);
  }

  destroy(signal?: AbortSignal): Promise<void> {
    return this.cloud.destroy(this.kind, NAME, signal);
  }

  /** Whether the inventory lists it; never twice. */
  async isListed(tags: Parameters<CloudProvider['inventory']>[0] = TAGS): Promise<boolean> {
    const found = (await this.cloud.inventory(tags)).filter(({ name }) => name === NAME);
    expect(found.length).toBeLessThanOrEqual(1);
    return found.length === 1;
  }

  async gone(): Promise<void> {
    await eventually(async () => (await this.describe()) === null);
    expect(await this.left()).toBe(0);
  }

  made = async (): Promise<number> => (await this.setup.count(this.kind, NAME)).made;
  left = async (): Promise<number> => (await this.setup.count(this.kind, NAME)).left;
}

/** What a story begins with: all that its kind needs stands. */
export type Given = () => Promise<Subject>;

export async function eventually(look: () => Promise<boolean>): Promise<void> {
  expect(await until(look, { deadlineMs: DEADLINE_MS, intervalMs: 10 })).toBe(true);
}
