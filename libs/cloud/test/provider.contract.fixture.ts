import { CloudError } from '../src/cloud-error.js';
import type { CloudProvider } from '../src/cloud-provider.js';
import { isSeenLate, isThrottled, losesReplies, stopsHalfway, type Story } from './provider-contract-faults.fixture.js';
import { NEEDED, QUIET_KINDS, specOf, type QuietKind } from './provider-contract-specs.fixture.js';
import { eventually, NAME, Subject, TAGS, type CloudSetup, type Given } from './provider-contract-subject.fixture.js';

export { TAGS, type CloudSetup } from './provider-contract-subject.fixture.js';

export type CloudFault = 'loseNextReply' | 'throttle' | 'failHalfway' | 'hideNew';

export interface CloudContract {
  make: () => Promise<CloudSetup>;
  /** Faults that this cloud cannot have by its nature, and why: what is about them is skipped with these words. */
  cannot?: Partial<Record<CloudFault, string>>;
}

/** What every driver promises (cloud-provider.ts), of every kind that needs no process. */
export function providesAsPromised({ make, cannot = {} }: CloudContract): void {
  let setup: CloudSetup;
  beforeEach(async () => {
    setup = await make();
  });
  afterEach(() => setup.stop());

  describe.each(QUIET_KINDS)('%s', (kind) => {
    const subject = async (): Promise<Subject> => {
      const cloud = setup.driver();
      for (const needed of NEEDED[kind]) await stand(cloud, needed);
      return new Subject(setup, kind, cloud);
    };
    isMadeOnce(subject);
    isDestroyed(subject);
    isListed(subject);
    isLeftOnAbort(subject);
    isOneForAll(subject);
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
  it('is one however often it is asked for, and is what was asked for', async () => {
    const subject = await given();

    const answers = [await subject.ensure(), await subject.ensure(), await subject.elsewhere().ensure()];

    const seen = await subject.describe();
    expect(seen).toMatchObject({ kind: subject.kind, name: NAME, tags: TAGS });
    expect(answers.map(({ id }) => id)).toEqual(Array(3).fill(seen?.id));
    expect(await subject.made()).toBe(1);
  });

  it('stays the same one when it is changed', async () => {
    const subject = await given();
    const { id } = await subject.ensure();

    const changed = await subject.change();

    expect(changed.id).toBe(id);
    expect(changed.attributes).toEqual((await subject.describe())?.attributes);
    expect(await subject.made()).toBe(1);
  });
}

function isDestroyed(given: Given): void {
  it('can be destroyed twice, and is gone once nobody describes it', async () => {
    const subject = await given();
    await subject.ensure();

    await subject.destroy();
    await subject.destroy();

    expect((await subject.describe())?.state ?? 'deleting').toBe('deleting');
    await subject.gone();
    await subject.destroy();
    expect(await subject.isListed()).toBe(false);
  });

  it('can be destroyed when there is nothing', async () => {
    const subject = await given();

    await subject.destroy();

    expect(await subject.describe()).toBeNull();
    expect(await subject.made()).toBe(0);
  });

  it('is not made again while it is being deleted, and is made again when it is gone', async () => {
    const subject = await given();
    await subject.ensure();
    await subject.destroy();

    expect((await subject.ensure()).state).toBe('deleting');

    await subject.gone();
    expect((await subject.ensure()).state).not.toBe('deleting');
    expect(await subject.left()).toBe(1);
  });
}

function isListed(given: Given): void {
  it('is in the inventory in any state, of its deployment and installation only', async () => {
    const subject = await given();
    await subject.ensure();

    expect(await subject.isListed()).toBe(true);
    expect(await subject.isListed({ installation: TAGS.installation })).toBe(true);
    expect(await subject.isListed({ ...TAGS, deployment_id: 8 })).toBe(false);
    expect(await subject.isListed({ installation: 'another' })).toBe(false);
    await subject.destroy();
    const isListedYet = await subject.isListed();
    // Whatever is there after the inventory was there during it.
    expect(isListedYet || (await subject.describe()) === null).toBe(true);
  });
}

function isLeftOnAbort(given: Given): void {
  const reason = new CloudError('provider_unavailable', 'the lease was lost');

  it('is left alone by calls that were aborted before', async () => {
    const subject = await given();
    const signal = AbortSignal.abort(reason);

    for (const call of [subject.ensure(signal), subject.describe(signal), subject.destroy(signal)])
      await expect(call).rejects.toBe(reason);
    await expect(subject.cloud.inventory(TAGS, signal)).rejects.toBe(reason);
    expect(await subject.made()).toBe(0);
    await subject.ensure();
    await expect(subject.destroy(signal)).rejects.toBe(reason);
    expect((await subject.describe())?.state).not.toBe('deleting');
  });

  it('is one after an abort in the middle, whatever had happened by then', async () => {
    const subject = await given();
    const abort = new AbortController();
    const call = subject.ensure(abort.signal).catch((error: unknown) => error);

    abort.abort(reason);

    expect([reason, expect.objectContaining({ name: NAME })]).toContainEqual(await call);
    await subject.ensure();
    expect(await subject.made()).toBe(1);
  });
}

function isOneForAll(given: Given): void {
  it('is one for two drivers at once', async () => {
    const subject = await given();
    const drivers = [subject, subject.elsewhere()];

    const answers = await Promise.all([...drivers, ...drivers, ...drivers].map((driver) => driver.ensure()));

    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await subject.made()).toBe(1);
  });

  it('is being deleted once one driver has said so, whatever another brings it to at that moment', async () => {
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

async function stand<K extends QuietKind>(cloud: CloudProvider, { kind, name }: { kind: K; name: string }) {
  await cloud.ensure(kind, name, specOf(kind), TAGS);
  await eventually(async () => (await cloud.describe(kind, name))?.state === 'active');
}
