// The configuration file of a server. @see https://www.postgresql.org/docs/18/runtime-config.html
export type PostgresSettings = Record<string, string>

/**
 * Settings of both servers. The data can be recreated, so durability is off. On a standby, max_connections and
 * similar settings must be at least as high as on its primary.
 */
export const common: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  fsync: 'off',
  full_page_writes: 'off',
  hot_standby_feedback: 'off',
  // An idle primary sends a message when half of this time has passed since the standby's last one, which bounds the
  // measured lag. wal_receiver_status_interval must be longer, or the standby's messages reset the time.
  wal_sender_timeout: '3s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
  lc_messages: 'C',
}

export function configurationFile(settings: PostgresSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
}
