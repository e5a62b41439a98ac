const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the zone of the person. */
export const Time = ({ at }: { at: string }) => <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
