const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the zone of the person. The exact time in UTC is its title. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {FORMAT.format(new Date(at))}
  </time>
);
