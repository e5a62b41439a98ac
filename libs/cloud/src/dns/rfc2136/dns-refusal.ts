import { CloudError, type CloudRefusal } from '../../cloud-error.js';
import { RCODES } from './dns-message.js';
import { TSIG_ERRORS, type TsigVerdict } from './tsig.js';

/** What a refusal of the server means for an operation. DNS has no words for throttling, capacity and quota. */
const BY_RCODE: Record<number, CloudRefusal['code']> = {
  [RCODES.FORMERR]: 'invalid',
  [RCODES.SERVFAIL]: 'unavailable',
  [RCODES.NOTIMP]: 'invalid',
  [RCODES.REFUSED]: 'denied',
  [RCODES.NOTAUTH]: 'invalid',
  [RCODES.NOTZONE]: 'invalid',
};
/** A clock can be set again without a person, by its time service. */
const BY_TSIG_ERROR: Record<number, CloudRefusal['code']> = {
  [TSIG_ERRORS.BADSIG]: 'denied',
  [TSIG_ERRORS.BADKEY]: 'denied',
  [TSIG_ERRORS.BADTIME]: 'unavailable',
  [TSIG_ERRORS.BADTRUNC]: 'denied',
};

/** The parties of a call, for the text of its refusal. */
export interface DnsCall {
  server: string;
  zone: string;
  keyName: string;
  nowSeconds: number;
}

/** The refusal that an answer contains. `rcode` is not 0, or the answer has no valid signature. */
export function dnsRefusal(rcode: number, verdict: TsigVerdict, call: DnsCall): CloudError {
  const { server, zone } = call;
  if (verdict.error !== 0) {
    const code = BY_TSIG_ERROR[verdict.error] ?? 'unavailable';
    return new CloudError(refusalOf(code, zone), signatureText(verdict, call));
  }
  if (rcode === RCODES.NOERROR)
    return new CloudError({ code: 'unavailable' }, `the answer of the DNS server ${server} has no valid signature`);
  const code = BY_RCODE[rcode] ?? 'unavailable';
  return new CloudError(refusalOf(code, zone), rcodeText(rcode, call));
}

const refusalOf = (code: CloudRefusal['code'], zone: string): CloudRefusal =>
  code === 'denied'
    ? { code, actions: [`update of zone ${zone}`] }
    : code === 'invalid'
      ? { code }
      : { code: 'unavailable' };

function signatureText({ error, serverSeconds }: TsigVerdict, { server, keyName, nowSeconds }: DnsCall): string {
  const name = nameOf(TSIG_ERRORS, error);
  if (error !== TSIG_ERRORS.BADTIME) return `the DNS server ${server} does not accept the key ${keyName} (${name})`;
  const difference = serverSeconds === null ? '' : ` by ${Math.abs(serverSeconds - nowSeconds)} seconds`;
  return `the clocks of the DNS server ${server} and of this machine differ${difference} (${name})`;
}

function rcodeText(rcode: number, { server, zone, keyName }: DnsCall): string {
  const name = nameOf(RCODES, rcode);
  if (rcode === RCODES.REFUSED)
    return `the DNS server ${server} does not let the key ${keyName} change this name of zone ${zone} (${name})`;
  if (rcode === RCODES.NOTAUTH || rcode === RCODES.NOTZONE)
    return `the DNS server ${server} is not the server of zone ${zone} (${name})`;
  return `the DNS server ${server} failed (${name})`;
}

const nameOf = (names: Record<string, number>, value: number): string =>
  Object.entries(names).find(([, number]) => number === value)?.[0] ?? `error ${value}`;
