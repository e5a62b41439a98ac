/** A certificate is renewed when it ends within this number of days. */
export const RENEWAL_DAYS = 30;
/** An event is sent when a certificate still ends within this number of days. */
export const EXPIRING_DAYS = 14;
