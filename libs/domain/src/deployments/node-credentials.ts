/** The password before a rotation. Nodes accept it until its end, by their own clocks plus the offset of the server. */
export interface PreviousPassword {
  password: string;
  /** ISO 8601, exclusive. Null while the rotation has not finished, because the end is not known then. */
  valid_to: string | null;
}

/** The part of a node's document about the credentials of clients. */
export interface NodeCredentials {
  credentials: { username: string; password: string; version: number };
  /** Absent without one. Not a part of `credentials`: brokers of an earlier release restart for a change of these. */
  previous_password?: PreviousPassword;
}

/** Sign-ins with wrong credentials from one address since the start of the gate. A status has the 20 newest addresses. */
export interface RefusedLogins {
  address: string;
  count: number;
  /** The newest one: milliseconds since the epoch, by the clock of the node. */
  at: number;
}
