// Children that do not outlive us, even if we are killed by SIGKILL: a shell of its own process group reads
// their pids from a pipe, and ends those still there once the pipe closes.
import { spawn, type ChildProcess, type IOType } from 'node:child_process'
import { once } from 'node:events'

/** Lines "+ SIGNAL PID" and "- PID". Five seconds after the signal, what is left is killed. */
const watch = `
pids= signals=
while read -r sign first second; do
  case $sign in
    +) pids="$pids $second:$first" ;;
    -) left=; for p in $pids; do [ "\${p%%:*}" = "$first" ] || left="$left $p"; done; pids=$left ;;
  esac
done
for p in $pids; do kill -"\${p#*:}" "\${p%%:*}" 2>/dev/null; done
for tenth in 1 2 3 4 5 6 7 8 9 $(seq 10 50); do
  left=; for p in $pids; do kill -0 "\${p%%:*}" 2>/dev/null && left="$left $p"; done
  pids=$left
  [ "$pids" ] || exit 0
  sleep 0.1
done
for p in $pids; do kill -KILL "\${p%%:*}" 2>/dev/null; done
`

/** Announces itself on descriptor 3 before it becomes the program: no moment is unwatched. */
const announce = 'echo "+ $1 $$" >&3; shift; exec "$@" 3>&-'

export interface WatchedOptions {
  /** How to end it if we are gone, as kill(1) names it. */
  signal: 'QUIT' | 'INT' | 'KILL'
  env: NodeJS.ProcessEnv
  cwd: string
  stdout: IOType | number
  stderr: IOType | number
  uid?: number
  gid?: number
}

export interface Watchdog {
  /** Starts a program in a process group of its own, so that a terminal's Ctrl-C does not reach it. */
  spawn: (program: string, args: string[], options: WatchedOptions) => ChildProcess
  /** Ends the watching, and with it whatever is still running. */
  end: () => Promise<void>
}

export function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', watch], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = once(shell, 'exit')
  shell.unref()
  shell.stdin.on('error', () => {})
  return {
    spawn(program, args, { signal, stdout, stderr, ...options }) {
      const child = spawn('/bin/sh', ['-c', announce, 'sh', signal, program, ...args], {
        ...options,
        detached: true,
        stdio: ['ignore', stdout, stderr, shell.stdin],
      })
      child.once('exit', () => shell.stdin.write(`- ${child.pid}\n`))
      return child
    },
    async end() {
      shell.ref()
      shell.stdin.end()
      await gone
    },
  }
}
