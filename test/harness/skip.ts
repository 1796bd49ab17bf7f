/** For hooks and tests: skips, with the reason in the printed title. */
export function skip(context: Mocha.Context, reason: string): never {
  const test = context.test as (Mocha.Runnable & { readonly type: string }) | undefined
  const skipped = test?.type === 'hook' ? test.parent : test
  if (skipped) skipped.title += ` (${reason})`
  return context.skip()
}
