export function throwing(): object {
  return {
    get id() {
      throw new Error('no')
    },
  }
}
