#!/usr/bin/env node
/** The command line: picks the command, ends with its exit code. The environment is read here alone. */
type Command = (environment: NodeJS.ProcessEnv) => Promise<number>

/** Each is loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  demo: async () => (await import('./commands/demo.ts')).demo,
}

const USAGE = `Usage: svodka <command>

  serve   the gateway in front of the replica at DATABASE_URL
  demo    a PostgreSQL primary and its hot standby with demo data, and the gateway in front of it

Settings are environment variables; the README lists them.
`

const [name = ''] = process.argv.slice(2)
const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (load) {
  const command = await load()
  // why: prom-client keeps an event-loop monitor alive (prom-client#494), so the end has to be said
  process.exit(await command(process.env))
} else {
  const asked = name === '' || name === '--help' || name === '-h' || name === 'help'
  const stream = name === '' || !asked ? process.stderr : process.stdout
  stream.write(asked ? USAGE : `svodka: there is no command "${name}"\n\n${USAGE}`)
  process.exitCode = name !== '' && asked ? 0 : 2
}
