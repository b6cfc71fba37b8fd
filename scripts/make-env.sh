#!/bin/sh
# Makes the file .env for docker-compose.yml, with secrets drawn at random. Never touches one that is there: with its
# ENCRYPTION_KEY everything would be lost that is sealed in the database.
set -eu

file=${1:-.env}
draft=$(mktemp "$file.XXXXXX")
trap 'rm -f "$draft"' EXIT
# each in an assignment of its own: of one that fails inside a text the shell takes no notice
jwt=$(openssl rand -base64 48)
encryption=$(openssl rand -base64 32)
client=$(openssl rand -hex 24)
postgres=$(openssl rand -hex 24)
redis=$(openssl rand -hex 24)
docs=$(openssl rand -hex 24)

# read by its owner alone: mktemp sees to it
cat > "$draft" <<END
JWT_SECRET=$jwt
ENCRYPTION_KEY=$encryption
BOOTSTRAP_CLIENT_ID=admin
BOOTSTRAP_CLIENT_SECRET=$client
POSTGRES_PASSWORD=$postgres
REDIS_PASSWORD=$redis
DOCS_TOKEN=$docs
END
# whole or not at all, and fails when the name is taken, by another run at the same moment, too
if ! ln "$draft" "$file" 2> /dev/null; then
  echo "$file is there and stays as it is: it holds the key of what the database has encrypted" >&2
  exit 1
fi
echo "made $file; keep a copy of its ENCRYPTION_KEY outside of this machine"
