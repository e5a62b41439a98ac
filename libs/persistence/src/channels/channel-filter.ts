/** Which channels a list has. Missing members do not filter. */
export interface ChannelFilter {
  channel?: string | undefined;
  /** A part of the name. */
  name?: string | undefined;
  enabled?: boolean | undefined;
}
