import type { ActingCaller } from '@libs/http';
import type { Author } from '@libs/ledger';

/** Who acts, as the ledger names them: the user, and the key they act by. */
export const authorOf = ({ caller }: ActingCaller): Author => ({ user: caller.user, apiKey: caller.key });
