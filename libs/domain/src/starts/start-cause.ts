/** Exit code when the same start can succeed later, because the cause is outside of Landlord: EX_TEMPFAIL of sysexits.h. */
export const EXIT_LATER = 75;
/** Exit code when a person must change something before a start can succeed: EX_CONFIG of sysexits.h. */
export const EXIT_CHANGE = 78;

export interface StartCause {
  /** The condition, for the table in the documents. */
  when: string;
  /** The message. `{name}` is replaced by a fact of the case. */
  says: string;
  /** What the reader must do. May also contain `{name}`. */
  todo: string;
  /** Null: the process starts, and prints the message as a warning. */
  exit: typeof EXIT_LATER | typeof EXIT_CHANGE | null;
}
