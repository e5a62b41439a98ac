export { clientAddress, type TrustedProxies } from './client-address.js';
export { ConnectionAdmission } from './connection-admission.js';
export type { CutReason, OnCut } from './newcomer.js';
export { cutNotices, type CutNotice } from './cut-notices.js';
export { DISCARDED_BYTES, endAfterBody } from './end-after-body.js';
export { admitConnections, hasSeveralHosts } from './http-admission.js';
export {
  BACKLOG,
  connectionsOfProcess,
  LISTENERS,
  limitsOf,
  limitsOfGate,
  type AppListener,
  type ConnectionLimits,
  type ListenerName,
} from './listeners.js';
export { networkOf } from './network-of.js';
