import type { DeadLetter } from './dead-letters.js';

/** The stream of dead letters. No sink may read it, so that no letter comes back to a sink. */
export const DEAD_LETTER_STREAM = 'dead_letters';

export const deadLetterTopic = (topic: string): string => `${DEAD_LETTER_STREAM}/${topic}`;

/** A dead letter as a message of the broker. */
export function publishedLetter({ message, error, attempts }: DeadLetter): Buffer {
  const { id, stream, topic, payload } = message;
  return Buffer.from(
    JSON.stringify({
      message_id: id,
      topic: `${stream}/${topic}`,
      error,
      attempts,
      payload: payload.toString('base64'),
    }),
  );
}
