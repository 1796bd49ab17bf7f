import type { ReplicaState } from '../../src/model/observation.ts'
import { failure, happens, run, times, type Step } from './observed.ts'

const replica = 'one:5432'
const gone = failure('terminated', { code: '57P01' })

describe('an execution', () => {
  happens(
    'is counted with its time, its wait and its rows, and has no line',
    [run({ replica, definition: 'metrics/finance', durationMs: 30, queueMs: 10, rowCount: 7 })],
    '',
    `runs_total metrics/finance ok 1, replica_runs_total one:5432 ok 1, admission_admitted_total 1,
    run_duration_seconds_sum metrics/finance 0.03, run_duration_seconds_count metrics/finance 1,
    run_queue_seconds_sum 0.01, run_queue_seconds_count 1, run_rows_total metrics/finance 7,
    definition_largest_rows metrics/finance 7`,
  )
  happens(
    'without a slot is counted with its wait, and has no duration',
    [run({ outcome: 'unavailable', queueMs: 3000, durationMs: undefined, rowCount: 0 })],
    'warn: no replica for an execution',
    `runs_total profit_loss unavailable 1, replica_runs_total none unavailable 1,
    run_queue_seconds_sum 3, run_queue_seconds_count 1`,
  )
  const failed = (code: string, definition = 'deals') =>
    run({ outcome: 'error', definition, error: failure('failed', { code }) })
  happens(
    'that failed is an error, a time-out a warning, a cancellation neither; similar ones have a line in 30 s',
    [
      run({ outcome: 'cancelled' }),
      run({ outcome: 'timeout', error: gone }),
      ...times(2, failed('42501')),
      failed('42501', 'tasks'),
      30,
      failed('42501'),
    ],
    `warn: the execution of profit_loss timed out
    error: the execution of deals failed | outcome error, definition deals, omitted undefined
    error: the execution of tasks failed
    error: the execution of deals failed | omitted 1`,
  )
  const full = (bytes: number) =>
    run({ outcome: 'spool_full', error: new Error(`readers have ${bytes} bytes to take`), replica })
  happens(
    'without a file for a large response logs once what to do',
    [full(500), full(700)],
    'warn: a large response was refused because its file could not be written: if clients read too many, raise SPOOL_MAX_BYTES, of which one organization may use half, if the disk of TMPDIR has space',
  )
  const reason = 'conflict'
  happens(
    'that is retried is counted by reason, and a spared one by definition',
    [
      { kind: 'execution-retried', replica, definition: 'profit_loss', reason, error: gone },
      { kind: 'execution-spared', definition: 'profit_loss' },
    ],
    'warn: an execution failed on a replica, and is retried | definition profit_loss, reason conflict, replica one:5432',
    'run_retries_total one:5432 conflict 1, runs_spared_total profit_loss 1',
  )
})

describe('a connection', () => {
  const lost = (pool: 'reports' | 'keys', of = replica) =>
    ({ kind: 'connection-lost', pool, error: gone, replica: of }) as const
  happens(
    'that is acquired or lost is counted by pool, and similar losses have a line in 30 s',
    [
      { kind: 'connection-acquired', pool: 'keys', durationMs: 5 },
      ...times(8, lost('reports')),
      lost('keys'),
      lost('reports', 'two:5432'),
      30,
      lost('reports'),
    ],
    `warn: a connection of the pool reports broke | replica one:5432
    warn: a connection of the pool keys broke | replica one:5432
    warn: a connection of the pool reports broke | replica two:5432
    warn: a connection of the pool reports broke | replica one:5432, omitted 7`,
    `db_pool_acquire_duration_seconds_sum keys 0.005, db_pool_acquire_duration_seconds_count keys 1,
    db_connections_lost_total reports one:5432 9, db_connections_lost_total reports two:5432 1,
    db_connections_lost_total keys one:5432 1`,
  )
  happens(
    'that broke during an execution has a line for its replica',
    ['one', 'two', 'one'].map(name =>
      run({ outcome: 'unavailable', error: gone, replica: `${name}:5432` }),
    ),
    `warn: an execution did not complete | replica one:5432
    warn: an execution did not complete | replica two:5432`,
  )

  happens(
    'behind a pooler has a line',
    [{ kind: 'pooler-detected', pool: 'reports' }],
    'info: a pooler is in front of the server: nothing is prepared, and each transaction sets its settings',
    '',
  )
})

describe('a look-up of keys', () => {
  const lookup = (error?: Error) =>
    ({ kind: 'key-lookup', keyCount: 3, durationMs: 2, error }) as const
  const away = (name = 'one') =>
    lookup(failure('away', { code: 'ECONNREFUSED', replica: `${name}:5432` }))
  happens(
    'is counted with keys, duration and failures, which have a line until they end',
    [...times(2, away()), 2.5, ...times(2, lookup()), away()],
    `warn: keys cannot be looked up, so requests get 503 access_unavailable | replica one:5432
    info: keys can be looked up after 2.5 s | awaySeconds 2.5, failures 2
    warn: keys cannot be looked up, so requests get 503 access_unavailable | omitted undefined`,
    `key_lookup_duration_seconds_sum 0.01, key_lookup_duration_seconds_count 5,
    key_lookup_failures_total 3, key_lookup_keys_sum 15, key_lookup_keys_count 5`,
  )
  const lag = (seconds: string, of = 'one') =>
    lookup(new Error(`${of}:5432 may be ${seconds} s behind, where 4 s are allowed`))
  happens(
    'has one line for failures that differ only in a quantity, and separate lines for databases',
    [lag('4.1'), lag('4.2'), lag('10.3'), lag('4.1', 'two'), away('one'), away('two')],
    `warn: keys cannot be looked up, so requests get 503 access_unavailable
    warn: keys cannot be looked up, so requests get 503 access_unavailable
    warn: keys cannot be looked up, so requests get 503 access_unavailable | replica one:5432
    warn: keys cannot be looked up, so requests get 503 access_unavailable | replica two:5432`,
  )
})

describe('a replica', () => {
  const standby: ReplicaState = {
    inRecovery: true,
    usable: true,
    dataAsOf: '2026-11-21T10:00:00.500Z',
    lagSeconds: 0,
    replayPaused: false,
  }
  const probed = (state: Partial<ReplicaState> = {}): Step => ({
    kind: 'replica-probed',
    replica,
    state: { ...standby, ...state },
  })
  const failed = (code: string): Step => ({
    kind: 'replica-probe-failed',
    replica,
    error: failure('refused', { code }),
  })
  const at = 'replica_data_as_of_timestamp_seconds one:5432 1795255200.5'
  const probedAt = 'replica_probe_timestamp_seconds one:5432 1700000000'
  happens(
    'that a probe reaches has its state in metrics, and one line',
    times(2, probed()),
    'info: reports are executed on a hot standby | replica one:5432',
    `replica_up one:5432 1, replica_usable one:5432 1, replica_in_recovery one:5432 1,
    replica_replay_paused one:5432 0, replica_lag_seconds one:5432 0, ${at}, ${probedAt}`,
  )
  happens(
    'that no probe reaches has lines until it responds, and unknown figures except for its data',
    [
      probed(),
      ...times(45, failed('ECONNREFUSED'), 1),
      failed('57P03'),
      1,
      ...times(2, probed()),
      failed('57P03'),
    ],
    `info: reports are executed on a hot standby
    warn: the replica does not respond to the probe, which is repeated
    warn: the replica does not respond to the probe, which is repeated | omitted 29
    warn: the replica does not respond to the probe, which is repeated
    info: the replica responds again after 46 s | awaySeconds 46, failures 46, replica one:5432
    warn: the replica does not respond to the probe, which is repeated`,
    `${at}, ${probedAt}, replica_probe_failures_total one:5432 47`,
  )

  const unknown = { lagSeconds: undefined, dataAsOf: undefined }
  const heartbeatError = new Error('permission denied for table heartbeat')
  happens(
    'with paused replay or unknown lag has a line with what to do, and one at the end',
    [
      probed(),
      ...times(2, probed({ replayPaused: true })),
      probed(),
      ...times(2, probed(unknown)),
      probed(),
      ...times(2, probed({ ...unknown, heartbeatError })),
    ],
    `info: reports are executed on a hot standby
    warn: replay is paused, so the data do not change: select pg_wal_replay_resume() on the replica
    info: replay continues
    warn: the replica's lag is unknown: check that it streams from the primary, and that the role of PROBE_DATABASE_URL has pg_read_all_stats
    info: the replica's lag is known
    warn: the replica's lag is unknown, because its heartbeat cannot be read: check that the role of PROBE_DATABASE_URL has the privilege, and that the product writes it`,
    `replica_up one:5432 1, replica_usable one:5432 1, replica_in_recovery one:5432 1,
    replica_replay_paused one:5432 0, ${probedAt}`,
  )
  const writable = { inRecovery: false, lagSeconds: undefined }
  happens(
    'that is writable is refused or allowed, without a line about lag',
    [
      ...times(2, probed({ ...writable, usable: false })),
      probed(),
      probed({ ...writable, usable: true, replayPaused: true }),
    ],
    `error: the server at DATABASE_URL is writable, so no report is executed: point DATABASE_URL at a hot standby, or set ALLOW_PRIMARY=true
    info: reports are executed on a hot standby
    warn: reports are executed on a writable server, because ALLOW_PRIMARY is set
    warn: replay is paused, so the data do not change: select pg_wal_replay_resume() on the replica`,
    `replica_up one:5432 1, replica_usable one:5432 1, replica_in_recovery one:5432 0,
    replica_replay_paused one:5432 1, ${at}, ${probedAt}`,
  )

  const circuit = (isOpen: boolean): Step => ({
    kind: 'circuit',
    replica,
    isOpen,
    error: gone,
  })
  happens(
    'with an open circuit breaker is counted and logged',
    [circuit(true), circuit(false), circuit(true)],
    `warn: the replica is unreachable: no report is sent to it | replica one:5432
    info: connections to the replica can be made: it executes reports again | replica one:5432
    warn: the replica is unreachable: no report is sent to it`,
    'replica_circuit_open one:5432 1, replica_circuit_openings_total one:5432 2',
  )

  const found = 'the role of reports can write (x has insert on y). Execute: revoke insert on y;'
  const canWrite = { kind: 'write-privileges', replica, found } as const
  happens(
    'with write privileges of its role has a warning with the SQL that revokes them',
    [canWrite],
    `warn: ${found} | replica one:5432`,
    'replica_role_can_write one:5432 1',
  )
  happens(
    'with revoked write privileges has a line',
    [canWrite, { ...canWrite, found: undefined }],
    `warn: ${found}
    info: the role of reports has no write privileges`,
    '',
  )
})
