import type { Socket } from 'node:net';
import type { ConnectionAdmission } from '@libs/domain/admission';

/** A connection of the gate, as its protocol reports the sign-in. */
export interface Visitor {
  /** The request to sign in is complete, and the broker works on it. */
  begins(): void;
  signedIn(): void;
}

/** All signed-in clients of a node use one login. Their number is limited by the broker. */
const CLIENTS = 'clients';

/** A client of a broker stays signed in until its connection ends, and gives way to nobody. */
export const visitorOf = (admission: ConnectionAdmission, socket: Socket): Visitor => ({
  begins: () => admission.begin(socket, null),
  signedIn: () => {
    admission.begin(socket, null);
    admission.know(socket, CLIENTS);
  },
});

/** A browser or program that has shown its credentials by HTTP. An idle connection of it may give way. */
export const knowByHttp = (admission: ConnectionAdmission | null, socket: Socket): void =>
  void admission?.know(socket, CLIENTS);
