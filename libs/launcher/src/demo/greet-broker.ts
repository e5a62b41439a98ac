import type { BrokerLogin } from './broker-login.js';
import { greetIggy } from './greet-iggy.js';
import { greetMqtt } from './greet-mqtt.js';
import type { Progress } from './progress.js';

/**
 * Sends one message through the broker and shows the received one, in the protocol of the broker.
 * @throws LauncherError when the broker fails, and the reason of `signal` when it is aborted
 */
export const greetBroker = (login: BrokerLogin, progress: Progress, signal: AbortSignal): Promise<void> =>
  login.driver === 'iggy' ? greetIggy(login, progress, signal) : greetMqtt(login, progress, signal);
