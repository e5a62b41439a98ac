/** A certificate is renewed when it ends within so many days. */
export const RENEWAL_DAYS = 30;
/** People are told when it ends within so many days all the same. */
export const EXPIRING_DAYS = 14;
