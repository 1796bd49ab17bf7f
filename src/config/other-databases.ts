/** Environments without the settings of databases, for commands that need none or bring their own. */

/** Removes all settings of databases, so that they cannot be mixed with others. */
export function withoutDatabases(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(
    ([name]) => !/^PG[A-Z]/.test(name) && !/^(KEYS_|PROBE_)?DATABASE_URL/.test(name),
  )
  return Object.fromEntries(others)
}

export function withNoDatabase(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // why: DATABASE_URL is required; no connection is opened to this one
  return { ...withoutDatabases(environment), DATABASE_URL: 'postgres://127.0.0.1/' }
}
