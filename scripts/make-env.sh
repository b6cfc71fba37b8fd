#!/bin/sh
# Creates the file .env for docker-compose.yml, with random secrets. Never changes an existing file: without its ENCRYPTION_KEY,
# all encrypted values in the database are lost.
set -eu

file=${1:-.env}
draft=$(mktemp "$file.XXXXXX")
trap 'rm -f "$draft"' EXIT
# one assignment per secret, because the shell ignores a command that fails within a text
jwt=$(openssl rand -base64 48)
encryption=$(openssl rand -base64 32)
client=$(openssl rand -hex 24)
postgres=$(openssl rand -hex 24)
redis=$(openssl rand -hex 24)
docs=$(openssl rand -hex 24)

# only the owner can read it, because mktemp creates it so
cat > "$draft" <<END
JWT_SECRET=$jwt
ENCRYPTION_KEY=$encryption
BOOTSTRAP_CLIENT_ID=admin
BOOTSTRAP_CLIENT_SECRET=$client
POSTGRES_PASSWORD=$postgres
REDIS_PASSWORD=$redis
DOCS_TOKEN=$docs
END
# creates the complete file or none, and fails if the file exists, even if a concurrent run created it
if ! ln "$draft" "$file" 2> /dev/null; then
  echo "$file exists and was not changed: it contains the key for the encrypted values in the database" >&2
  exit 1
fi
echo "created $file; keep a copy of its ENCRYPTION_KEY outside of this machine"
