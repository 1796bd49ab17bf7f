// The configuration file of a server. @see https://www.postgresql.org/docs/18/runtime-config.html
export type Settings = Record<string, string>

/**
 * What both servers run with. The data can be made again at any time, so that nothing waits for the disk.
 * A standby needs max_connections and its like at least as high as its primary's.
 */
export const common: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  fsync: 'off',
  full_page_writes: 'off',
  hot_standby_feedback: 'off',
  // Half of it after the standby's last word an idle primary says that it has nothing new: how old
  // the data may seem. wal_receiver_status_interval has to be longer, or there is always a last word.
  wal_sender_timeout: '3s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
  lc_messages: 'C',
}

export function configurationFile(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('')
}
