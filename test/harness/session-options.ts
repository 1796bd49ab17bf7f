/** Settings of a session as libpq and pg take them: `-c name=value -c ...`. */
export function sessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`)
    .join(' ')
}
