import { runLandlord } from '../start/run-landlord.js';

/**
 * `landlord start`: runs the database and both apps until a signal, then stops them in order. Resolves when all of it has
 * stopped. Throws the reason of a failed start or stop.
 */
export const start = (): Promise<void> => runLandlord(({ landlord, signals }) => landlord.start(signals.stop));
