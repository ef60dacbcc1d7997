interface Person {
  readonly name: string;
}

export function greet(person: Person): string {
  const name = person.name.toUpperCase(); // stop: imported
  return `Hello ${name}`;
}
