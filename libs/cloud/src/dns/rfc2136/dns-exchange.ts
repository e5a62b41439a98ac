import { randomInt } from 'node:crypto';
import { CloudError } from '../../cloud-error.js';
import { decodeReply, encodeRequest, RCODES, type DnsReply, type DnsRequest } from './dns-message.js';
import { dnsRefusal } from './dns-refusal.js';
import { serverText, type Ask, type DnsServer } from './dns-server.js';
import { checkSignature, signMessage, type TsigVerdict } from './tsig.js';
import type { TsigKey } from './tsig-key.js';

export interface Rfc2136Options {
  server: DnsServer;
  /** The zone that contains all names. */
  zone: string;
  key: TsigKey;
  /** The name of the installation. */
  installation: string;
  /** The clock, in milliseconds since the epoch. Default: that of the machine. */
  now?: () => number;
  /** The number of the next message. Default: random, so that nobody can guess it. */
  nextId?: () => number;
  /** For a connection, and for each answer, in milliseconds. Default: 5000. */
  timeoutMs?: number;
}

const randomId = (): number => randomInt(0x10000);

/** Signed requests and their checked answers, on one connection. */
export class DnsExchange {
  constructor(
    private readonly options: Rfc2136Options,
    private readonly send: Ask,
  ) {}

  /**
   * Returns the answer when the server did the work, or refused it with one of the codes. Only a signed answer counts: without
   * a signature, somebody between the two could make Landlord believe that a name is removed.
   * @throws CloudError for every other answer
   */
  async ask(request: Omit<DnsRequest, 'id'>, accepted: readonly number[]): Promise<DnsReply> {
    const { key, zone, server, now = Date.now, nextId = randomId } = this.options;
    const id = nextId();
    const nowSeconds = Math.floor(now() / 1000);
    const signed = signMessage(encodeRequest({ ...request, id }), key, nowSeconds);
    const bytes = await this.send(signed.bytes);
    const reply = decodeReply(bytes);
    if (reply.id !== id)
      throw new CloudError({ code: 'unavailable' }, 'the DNS server sent the answer to another message');
    const verdict = this.verdictOf(bytes, reply, signed.mac, nowSeconds);
    if (verdict.isVerified && [RCODES.NOERROR, ...accepted].includes(reply.rcode)) return reply;
    const isError = reply.rcode !== RCODES.NOERROR && !accepted.includes(reply.rcode);
    // An unsigned success or condition is worth nothing. An unsigned error only stops the work.
    const rcode = isError ? reply.rcode : RCODES.NOERROR;
    throw dnsRefusal(rcode, verdict, { server: serverText(server), zone, keyName: key.name, nowSeconds });
  }

  private verdictOf(bytes: Buffer, reply: DnsReply, requestMac: Buffer, nowSeconds: number): TsigVerdict {
    try {
      return checkSignature(bytes, reply, this.options.key, requestMac, nowSeconds);
    } catch (error) {
      throw new CloudError({ code: 'unavailable' }, 'the DNS server sent a broken signature', { cause: error });
    }
  }
}
