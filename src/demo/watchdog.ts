// Child processes that end with this process, even after SIGKILL: a shell in a separate process group reads their
// pids from a pipe, and ends the remaining ones when the pipe closes.
import { spawn, type ChildProcess, type IOType } from 'node:child_process'
import { once } from 'node:events'

/** Reads lines "+ SIGNAL PID" and "- PID". Five seconds after the signal, remaining processes are killed. */
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

/** Registers itself on descriptor 3 before `exec`, so that the program is watched from its start. */
const announce = 'echo "+ $1 $$" >&3; shift; exec "$@" 3>&-'

export interface ChildOptions {
  /** Signal that ends the program if this process has ended, as named by kill(1). */
  signal: 'QUIT' | 'INT' | 'KILL'
  env: NodeJS.ProcessEnv
  cwd: string
  stdout: IOType | number
  stderr: IOType | number
  uid?: number
  gid?: number
}

export interface Watchdog {
  /** Starts a program in a separate process group, so that Ctrl-C in a terminal does not reach it. */
  spawn: (program: string, args: string[], options: ChildOptions) => ChildProcess
  /** Ends the watchdog and all programs that still run. */
  end: () => Promise<void>
}

export function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', watch], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exited = once(shell, 'exit')
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
      await exited
    },
  }
}
