/** The line that starts a client. The texts come from a server, and a person copies the line into a shell. */
export const clientLine = ({ host = '', port = '', username = '', password = '' }: Record<string, string>): string =>
  ['mosquitto_sub', '-h', host, '-p', port, '-u', username, '-P', password, '-t', '#', '-v'].map(quoted).join(' ');

/** One word of a POSIX shell, whatever the text is. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
