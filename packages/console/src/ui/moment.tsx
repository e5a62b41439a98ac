const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the zone of the reader. The exact time in UTC is its title. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {FORMAT.format(new Date(at))}
  </time>
);
