import type { Refusal } from './client-notices.js';

const PUBLISH = 3;
const SUBSCRIBE = 8;
/** Topic filters of shared subscriptions of MQTT 5, which many brokers serve for 3.1.1 as well. */
export const SHARED = '$share/';
const RESERVED = /^\$(?:SYS|JS|MQTT)(?:\/|$)/;
/** nats-server has dots between the words of a subject. */
const NOT_A_SUBJECT = /[. ]/;

/** What nats-server does not take of a packet, by its first byte and the start of its body. Null: nothing is known against it. */
export function refusedByNats(firstByte: number, head: Buffer): Refusal | null {
  const type = firstByte >> 4;
  if (type === SUBSCRIBE) return hasShared(head) ? 'shared subscription refused' : null;
  if (type !== PUBLISH || head.length < 2) return null;
  if ((firstByte & 0b110) === 0b100) return 'client closed: QoS 2 is not served';
  const topic = head.toString('utf8', 2, 2 + head.readUInt16BE(0));
  if (NOT_A_SUBJECT.test(topic)) return 'client closed: the topic has a dot or a space';
  return RESERVED.test(topic) ? 'publish dropped: the topic is reserved' : null;
}

/** Whether a filter of SUBSCRIBE begins so. The body has the id of the packet, and then length, filter and QoS of each. */
function hasShared(head: Buffer): boolean {
  for (let at = 2; at + 2 <= head.length;) {
    const end = at + 2 + head.readUInt16BE(at);
    if (head.toString('utf8', at + 2, end).startsWith(SHARED)) return true;
    at = end + 1;
  }
  return false;
}
