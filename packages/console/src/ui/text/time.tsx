const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const { timeZone } = FORMAT.resolvedOptions();

/** A time in the zone of the person. Its title has the zone, and the exact time in UTC. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${timeZone}. In UTC: ${at}`}>
    {FORMAT.format(new Date(at))}
  </time>
);
