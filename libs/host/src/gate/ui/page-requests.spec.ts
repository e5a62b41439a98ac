import { readRequest, RequestRefusal } from './page-requests.js';

const LIMIT = 1_000_000;

function refusal(request: unknown, limit = LIMIT): RequestRefusal {
  try {
    readRequest(typeof request === 'string' ? request : JSON.stringify(request), limit);
  } catch (error) {
    if (error instanceof RequestRefusal) return error;
  }
  return new RequestRefusal(-1, 'accepted', '');
}

describe('A request of the page', () => {
  it.each(['a', 'a/b', '/', 'a//b', ' ', '$SYS/x', '<img src=x>', 'a'.repeat(1024)])(
    'publishes to the topic %j',
    (topic) => {
      const request = readRequest(JSON.stringify({ do: 'publish', id: 1, topic, payload: 'ü' }), LIMIT);

      expect(request).toEqual({
        ...{ do: 'publish', id: 1 },
        message: { topic, payload: Buffer.from('ü'), qos: 0, retain: false },
      });
    },
  );

  it('publishes bytes, with a quality of service and the retain flag', () => {
    const text = JSON.stringify({
      do: 'publish',
      id: 1,
      topic: 'a',
      payload: '/wA=',
      encoding: 'base64',
      qos: 1,
      retain: true,
    });

    expect(readRequest(text, LIMIT)).toMatchObject({
      message: { payload: Buffer.from([0xff, 0]), qos: 1, retain: true },
    });
  });

  it.each(['', 'a/+', '#', 'a\0b', 'a'.repeat(1025), 'ü'.repeat(600)])('is refused for the topic %j', (topic) => {
    expect(refusal({ do: 'publish', id: 7, topic, payload: '' })).toMatchObject({ id: 7, code: 'topic_invalid' });
  });

  it.each(['#', '+', 'a/#', '+/a/+', 'a//#', '$SYS/#'])('subscribes to the filter %j', (topic) => {
    expect(readRequest(JSON.stringify({ do: 'subscribe', id: 1, topic }), LIMIT)).toMatchObject({ topic });
  });

  it.each(['', '#/a', 'a#', 'a+/b', 'a/#/b', '\0'])('is refused for the filter %j', (topic) => {
    expect(refusal({ do: 'subscribe', id: 7, topic }).code).toBe('topic_invalid');
    expect(refusal({ do: 'unsubscribe', id: 7, topic }).code).toBe('topic_invalid');
  });

  it.each([
    ...['', 'x', 'null', '[]', '1', '{"do":"publish"}'],
    ...[
      '{"do":"publish","id":"1","topic":"a"}',
      '{"do":"delete","id":1,"topic":"a"}',
      '{"do":"publish","id":1,"topic":1}',
    ],
    ...['{"do":"publish","id":1,"topic":"a","payload":1}', '{"do":"publish","id":1,"topic":"a","payload":"","qos":2}'],
    '{"do":"publish","id":1,"topic":"a","payload":"","encoding":"hex"}',
    '{"do":"publish","id":1,"topic":"a","payload":"","retain":1}',
  ])('is refused as malformed: %s', (text) => {
    expect(refusal(text)).toMatchObject({ id: 0, code: 'request_invalid' });
  });

  it('is refused above 64 KiB, and above the largest packet of the broker', () => {
    const publish = (bytes: number) => ({ do: 'publish', id: 1, topic: 'abc', payload: 'x'.repeat(bytes) });

    expect(refusal(publish(64 * 1024 + 1)).code).toBe('payload_too_large');
    expect(refusal(publish(1013), 1024).code).toBe('payload_too_large');
    expect(refusal(publish(1012), 1024).code).toBe('accepted');
  });
});
