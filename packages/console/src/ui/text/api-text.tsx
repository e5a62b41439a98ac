/** A text of the API. Names between backticks are names of members, values or commands. */
export const ApiText = ({ text }: { text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part));
