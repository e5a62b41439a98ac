import { listed } from '@libs/testing';
import type { Given } from './provider-contract-subject.fixture.js';
import { NAME, TAGS } from './provider-contract-subject.fixture.js';

/** Declares a test, or skips it with the reason. */
export type Story = (title: string, story: () => Promise<void>) => void;

const REFUSED_FOR_NOW: unknown = expect.objectContaining({ name: 'CloudError', refusal: { code: 'unavailable' } });
const THROTTLED: unknown = expect.objectContaining({
  name: 'CloudError',
  refusal: { code: 'throttled', retry_after_ms: expect.any(Number) },
});

export function losesReplies(given: Given, story: Story): void {
  story('exists once after a lost reply', async () => {
    const subject = await given();
    subject.setup.loseNextReply?.();

    await expect(subject.ensure()).rejects.toEqual(REFUSED_FOR_NOW);

    expect((await subject.elsewhere().ensure()).id).toBe((await subject.describe())?.id);
    expect(await subject.made()).toBe(1);
  });

  story('is deleted after the reply of its deletion was lost', async () => {
    const subject = await given();
    await subject.ensure();
    subject.setup.loseNextReply?.();

    await expect(subject.destroy()).rejects.toEqual(REFUSED_FOR_NOW);

    expect((await subject.describe())?.state ?? 'deleting').toBe('deleting');
    await subject.destroy();
    await subject.gone();
  });
}

export function isThrottled(given: Given, story: Story): void {
  story('is created once after throttled calls, and no resource looks deleted during them', async () => {
    const subject = await given();

    subject.setup.throttle?.(2);
    await expect(subject.ensure()).rejects.toEqual(THROTTLED);
    await expect(subject.ensure()).rejects.toEqual(THROTTLED);
    expect(await subject.made()).toBe(0);

    await subject.ensure();
    subject.setup.throttle?.(3);
    await expect(subject.describe()).rejects.toEqual(THROTTLED);
    await expect(listed(subject.cloud, TAGS)).rejects.toEqual(THROTTLED);
    await expect(subject.destroy()).rejects.toEqual(THROTTLED);
    expect((await subject.describe())?.state).not.toBe('deleting');
    expect(await subject.made()).toBe(1);
  });
}

export function stopsHalfway(given: Given, story: Story): void {
  story('can be described, listed and completed after a partial creation', async () => {
    const subject = await given();
    subject.setup.failHalfway?.();
    await expect(subject.ensure()).rejects.toEqual(REFUSED_FOR_NOW);

    const left = await subject.left();
    const seen = await subject.describe();
    expect(await subject.isListed()).toBe(left > 0);
    if (seen !== null) expect(seen).toMatchObject({ name: NAME, tags: TAGS });
    await subject.ensure();

    expect(await subject.describe()).toMatchObject({ name: NAME });
    expect(await subject.left()).toBe(1);
  });

  story('leaves nothing when it is destroyed after a partial creation', async () => {
    const subject = await given();
    subject.setup.failHalfway?.();
    await expect(subject.ensure()).rejects.toEqual(REFUSED_FOR_NOW);

    await subject.destroy();
    await subject.setup.passTime?.();

    await subject.gone();
    expect(await subject.isListed()).toBe(false);
  });
}

export function isSeenLate(given: Given, story: Story): void {
  story('is not created twice while the first creation is not visible yet', async () => {
    const subject = await given();
    subject.setup.hideNew?.(true);
    const { id } = await subject.ensure();
    expect(await subject.describe()).toBeNull();

    expect((await subject.ensure()).id).toBe(id);
    expect((await subject.elsewhere().ensure()).id).toBe(id);

    subject.setup.hideNew?.(false);
    expect((await subject.describe())?.id).toBe(id);
    expect(await subject.made()).toBe(1);
  });
}
