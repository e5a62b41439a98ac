import { isDeepStrictEqual } from 'node:util';
import { listed, refTo } from '@libs/testing';
import { describeOne } from '../src/describe-one.js';
import { CloudError } from '../src/cloud-error.js';
import type { CloudProvider } from '../src/cloud-provider.js';
import { isSeenLate, isThrottled, losesReplies, stopsHalfway, type Story } from './provider-contract-faults.fixture.js';
import {
  CONTRADICTIONS,
  NEEDED,
  CONTRACT_KINDS,
  specOf,
  type ContractKind,
} from './provider-contract-specs.fixture.js';
import { eventually, NAME, Subject, TAGS, type CloudSetup, type Given } from './provider-contract-subject.fixture.js';

export { TAGS, type CloudSetup } from './provider-contract-subject.fixture.js';

export type CloudFault = 'loseNextReply' | 'throttle' | 'failHalfway' | 'hideNew';

export interface CloudContract {
  make: () => Promise<CloudSetup>;
  /** Kinds that the driver does not have. It refuses them. */
  lacks?: readonly ContractKind[];
  /** Kinds whose deletion ends within the call of `destroy`. A later request is for a new resource. */
  endAtOnce?: readonly ContractKind[];
  /** Faults that this cloud cannot have, with the reasons. Their tests are skipped with the reason. */
  cannot?: Partial<Record<CloudFault, string>>;
}

/** The contract of every driver (cloud-provider.ts), for every kind. */
export function providesAsPromised({ make, lacks = [], endAtOnce = [], cannot = {} }: CloudContract): void {
  let setup: CloudSetup;
  beforeEach(async () => {
    setup = await make();
  });
  afterEach(() => setup.stop());

  it.each(lacks)('%s is refused', async (kind) => {
    const subject = new Subject(setup, kind);

    await expect(subject.ensure()).rejects.toMatchObject({ refusal: { code: 'invalid' } });
    expect(await subject.left()).toBe(0);
  });

  it.each(CONTRADICTIONS)(
    '%s is refused with a specification that contradicts itself: %j',
    async (kind, spec, text) => {
      const subject = new Subject(setup, kind);
      for (const needed of NEEDED[kind]) await stand(subject.cloud, needed, setup);

      await expect(subject.ensure(undefined, spec)).rejects.toMatchObject({
        refusal: { code: 'invalid' },
        message: expect.stringContaining(text),
      });
      expect(await subject.left()).toBe(0);
    },
  );

  it('load_balancer may have a listener for each protocol at one port', async () => {
    const subject = new Subject(setup, 'load_balancer');
    for (const needed of NEEDED.load_balancer) await stand(subject.cloud, needed, setup);
    const { listeners, ...more } = specOf('load_balancer');
    const both = [...listeners, ...listeners.map((listener) => ({ ...listener, protocol: 'udp' as const }))];

    await subject.ensure(undefined, { ...more, listeners: both });

    expect(await subject.left()).toBe(1);
  });

  describe.each(CONTRACT_KINDS.filter((kind) => !lacks.includes(kind)))('%s', (kind) => {
    const subject = async (): Promise<Subject> => {
      const cloud = setup.driver();
      for (const needed of NEEDED[kind]) await stand(cloud, needed, setup);
      return new Subject(setup, kind, cloud);
    };
    isMadeOnce(subject);
    isDestroyed(subject, endAtOnce.includes(kind));
    isListed(subject);
    isLeftOnAbort(subject);
    isOneForEveryProcess(subject);
    isOneForAll(subject);
    staysInDeletion(subject, whenPlayed(endAtOnce.includes(kind) ? 'its deletion ends within the call' : undefined));
    losesReplies(subject, whenPlayed(cannot.loseNextReply));
    isThrottled(subject, whenPlayed(cannot.throttle));
    stopsHalfway(subject, whenPlayed(cannot.failHalfway));
    isSeenLate(subject, whenPlayed(cannot.hideNew));
  });
}

const whenPlayed =
  (reason: string | undefined): Story =>
  (title, story) =>
    reason === undefined ? it(title, story) : it.skip(`${title} (not here: ${reason})`, story);

function isMadeOnce(given: Given): void {
  it('exists once after repeated calls, and matches its specification', async () => {
    const subject = await given();

    const answers = [await subject.ensure(), await subject.ensure(), await subject.elsewhere().ensure()];

    const seen = await subject.describe();
    expect(seen).toMatchObject({ kind: subject.kind, name: NAME, tags: TAGS });
    expect(answers.map(({ id }) => id)).toEqual(Array(3).fill(seen?.id));
    expect(await subject.made()).toBe(1);
  });

  it('keeps its id after a change', async () => {
    const subject = await given();
    const { id } = await subject.ensure();

    const changed = await subject.change();

    expect(changed.id).toBe(id);
    // The state of a connection changes by itself, also between two calls.
    await eventually(async () =>
      isDeepStrictEqual((await subject.change()).attributes, (await subject.describe())?.attributes),
    );
    expect(await subject.made()).toBe(1);
  });
}

function isDestroyed(given: Given, endsAtOnce: boolean): void {
  it('can be destroyed twice, and is deleted when describe returns null', async () => {
    const subject = await given();
    await subject.ensure();

    await subject.destroy();
    await subject.destroy();

    expect((await subject.describe())?.state ?? 'deleting').toBe('deleting');
    await subject.gone();
    await subject.destroy();
    expect(await subject.isListed()).toBe(false);
  });

  it('can be destroyed when it does not exist', async () => {
    const subject = await given();

    await subject.destroy();

    expect(await subject.describe()).toBeNull();
    expect(await subject.made()).toBe(0);
  });

  it('is not created again during its deletion, and is created again after it', async () => {
    const subject = await given();
    await subject.ensure();
    await subject.destroy();

    if (!endsAtOnce) expect((await subject.ensure()).state).toBe('deleting');

    await subject.gone();
    expect((await subject.ensure()).state).not.toBe('deleting');
    expect(await subject.left()).toBe(1);
  });
}

function isListed(given: Given): void {
  it('is in the inventory in any state, only for its deployment and installation', async () => {
    const subject = await given();
    await subject.ensure();

    expect(await subject.isListed()).toBe(true);
    expect(await subject.isListed({ installation: TAGS.installation })).toBe(true);
    expect(await subject.isListed({ ...TAGS, deployment_id: 8 })).toBe(false);
    expect(await subject.isListed({ installation: 'another' })).toBe(false);
    await subject.destroy();
    const isListedYet = await subject.isListed();
    // A resource that exists after the inventory also existed during it.
    expect(isListedYet || (await subject.describe()) === null).toBe(true);
  });
}

function isLeftOnAbort(given: Given): void {
  const reason = new CloudError({ code: 'unavailable' }, 'the lease was lost');

  it('is not changed by calls that were already aborted', async () => {
    const subject = await given();
    const signal = AbortSignal.abort(reason);

    for (const call of [subject.ensure(signal), subject.describe(signal), subject.destroy(signal)])
      await expect(call).rejects.toBe(reason);
    await expect(listed(subject.cloud, TAGS, signal)).rejects.toBe(reason);
    expect(await subject.made()).toBe(0);
    await subject.ensure();
    await expect(subject.destroy(signal)).rejects.toBe(reason);
    expect((await subject.describe())?.state).not.toBe('deleting');
  });

  it('exists once after an abort during the call', async () => {
    const subject = await given();
    const abort = new AbortController();
    const call = subject.ensure(abort.signal).catch((error: unknown) => error);

    abort.abort(reason);

    expect([reason, expect.objectContaining({ name: NAME })]).toContainEqual(await call);
    await subject.ensure();
    expect(await subject.made()).toBe(1);
  });
}

function isOneForEveryProcess(given: Given): void {
  it('is the same resource for another process, which can delete it', async () => {
    const subject = await given();
    const { id } = await subject.ensure();
    const other = subject.elsewhere();

    const again = await other.cloud.ensure(subject.kind, refTo(NAME), specOf(subject.kind), TAGS);
    const resource = await describeOne(other.cloud, subject.kind, refTo(NAME));

    expect([again.id, resource?.id]).toEqual([id, id]);
    expect(await subject.made()).toBe(1);
    await other.cloud.destroy(subject.kind, refTo(NAME));
    await subject.gone();
  });
}

function isOneForAll(given: Given): void {
  it('exists once after concurrent calls of two drivers', async () => {
    const subject = await given();
    const drivers = [subject, subject.elsewhere()];

    const answers = await Promise.all([...drivers, ...drivers, ...drivers].map((driver) => driver.ensure()));

    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await subject.made()).toBe(1);
  });
}

function staysInDeletion(given: Given, story: Story): void {
  story('stays in deletion after one driver started it, also with concurrent changes of another', async () => {
    const subject = await given();
    for (let round = 0; round < 5; round += 1) {
      await subject.ensure();

      const other = subject.elsewhere();
      await Promise.all([other.change(), subject.destroy(), other.change(), other.ensure()]);

      expect((await subject.describe())?.state ?? 'deleting').toBe('deleting');
      await subject.gone();
    }
  });
}

async function stand<K extends ContractKind>(
  cloud: CloudProvider,
  { kind, name }: { kind: K; name: string },
  { continuesByCalls = [] }: CloudSetup,
) {
  await cloud.ensure(kind, refTo(name), specOf(kind), TAGS);
  await eventually(async () => {
    // Some parts are created only in a later call, such as the attachment of the disk of a node.
    if (continuesByCalls.includes(kind)) await cloud.ensure(kind, refTo(name), specOf(kind), TAGS);
    return (await describeOne(cloud, kind, refTo(name)))?.state === 'active';
  });
}
